package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/archive"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/asset"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

const copyToRemote = "command:remote:CopyToRemote"

func TestCopyToRemotePlacesFilesAndDirectories(t *testing.T) {
	server := startSSHD(t)
	source := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(source, "conf", "deep"), 0o755))
	must(t, os.WriteFile(filepath.Join(source, "conf", "deep", "a.txt"), []byte("a"), 0o600))
	must(t, os.Mkdir(filepath.Join(server.dir, "there"), 0o755))
	file, err := asset.FromPath(filepath.Join(source, "conf", "deep", "a.txt"))
	must(t, err)
	note, err := asset.FromText("note")
	must(t, err)
	directory, err := archive.FromPath(filepath.Join(source, "conf"))
	must(t, err)
	content, err := archive.FromPath(filepath.Join(source, "conf") + "/")
	must(t, err)

	for name, c := range map[string]struct {
		source            property.Value
		to, becomes, text string
	}{
		"file to a new path":         {property.New(file), "new/b.txt", "new/b.txt", "a"},
		"file into a directory":      {property.New(file), "there", "there/a.txt", "a"},
		"text to a new path":         {property.New(note), "new/note", "new/note", "note"},
		"directory":                  {property.New(directory), "new/dir", "new/dir/conf/deep/a.txt", "a"},
		"directory into a directory": {property.New(directory), "there", "there/conf/deep/a.txt", "a"},
		"content of a directory":     {property.New(content), "new/content", "new/content/deep/a.txt", "a"},
	} {
		t.Run(name, func(t *testing.T) {
			must(t, newPlugin(t, copyToRemote).create(properties{
				"connection": server.connection(t, nil), "source": c.source, "remotePath": text(filepath.Join(server.dir, c.to)),
			}, 0))
			got, err := os.ReadFile(filepath.Join(server.dir, c.becomes))
			must(t, err)
			if string(got) != c.text {
				t.Errorf("%s holds %q, want %q", c.becomes, got, c.text)
			}
		})
	}
	t.Run("directory onto a file", func(t *testing.T) {
		err := newPlugin(t, copyToRemote).create(properties{
			"connection": server.connection(t, nil), "source": property.New(content),
			"remotePath": text(filepath.Join(server.dir, "authorized_keys")),
		}, 0)
		expectError(t, err, "authorized_keys", "directory")
	})
}

func TestCopyToRemoteCopiesAgainOnlyWhatChanged(t *testing.T) {
	server := startSSHD(t)
	target := filepath.Join(server.dir, "target")
	inputs := func(content string, limit float64) properties {
		source, err := asset.FromText(content)
		must(t, err)
		connection := server.connection(t, properties{"dialErrorLimit": property.New(limit)})
		return properties{"connection": connection, "source": property.New(source), "remotePath": text(target)}
	}
	p := newPlugin(t, copyToRemote)
	must(t, p.create(inputs("one", 0), 0))
	must(t, os.WriteFile(target, []byte("by hand"), 0o600))
	must(t, p.update(inputs("one", 5)))
	expectFile(t, target, "by hand")
	must(t, p.update(inputs("two", 5)))
	expectFile(t, target, "two")
}

func TestCopyFileCopies(t *testing.T) {
	server := startSSHD(t)
	target := filepath.Join(server.dir, "target")
	must(t, newPlugin(t, "command:remote:CopyFile").create(properties{
		"connection": server.connection(t, nil), "localPath": text(server.write(t, "source", "x")), "remotePath": text(target),
	}, 0))
	expectFile(t, target, "x")
}

func expectFile(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	must(t, err)
	if string(got) != want {
		t.Errorf("%s holds %q, want %q", path, got, want)
	}
}
