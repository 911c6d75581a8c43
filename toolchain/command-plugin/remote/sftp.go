package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/pkg/sftp"
)

// withSFTP connects and calls use.
func withSFTP(ctx context.Context, connection *Connection, use func(*sftp.Client) error) error {
	client, err := connection.Dial(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	files, err := sftp.NewClient(client, sftp.UseConcurrentWrites(true))
	if err != nil {
		return fmt.Errorf("%s: no SFTP (Subsystem sftp in its sshd_config): %w", connection.Host, err)
	}
	defer files.Close()
	err = use(files)
	if err != nil && ctx.Err() != nil {
		err = errors.Join(context.Cause(ctx), err)
	}
	return err
}

// copyText writes a text to a remote file.
func copyText(ctx context.Context, connection *Connection, text, target string) error {
	return withSFTP(ctx, connection, func(files *sftp.Client) error {
		existing, err := stat(files, target)
		if err != nil {
			return err
		}
		if existing != nil && existing.IsDir() {
			return fmt.Errorf("remotePath %s is a directory on %s; a text needs the path of a file", target, connection.Host)
		}
		return write(files, strings.NewReader(text), target)
	})
}

// copyPath copies a local file or directory:
//
//	source  target is a directory  target does not exist  target is a file
//	file    target/file            target                 target, overwritten
//	dir     target/dir             target/dir             error
//	dir/    its content to target  its content to target  error
func copyPath(ctx context.Context, connection *Connection, source, target string) error {
	info, err := os.Stat(source)
	if err != nil {
		return err
	}
	return withSFTP(ctx, connection, func(files *sftp.Client) error {
		existing, err := stat(files, target)
		if err != nil {
			return err
		}
		if info.IsDir() {
			if !strings.HasSuffix(source, "/") {
				target = path.Join(target, filepath.Base(source))
			}
			return copyDirectory(files, source, target)
		}
		if existing != nil && existing.IsDir() {
			target = path.Join(target, filepath.Base(source))
		}
		return copyFile(files, source, target)
	})
}

func copyDirectory(files *sftp.Client, source, target string) error {
	return filepath.WalkDir(source, func(local string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(source, local)
		if err != nil {
			return err
		}
		remote := path.Join(target, filepath.ToSlash(name))
		if entry.IsDir() {
			if err := files.MkdirAll(remote); err != nil {
				return fmt.Errorf("create the remote directory %s: %w", remote, err)
			}
			return nil
		}
		return copyFile(files, local, remote)
	})
}

func copyFile(files *sftp.Client, source, target string) error {
	local, err := os.Open(source)
	if err != nil {
		return err
	}
	defer local.Close()
	return write(files, local, target)
}

func write(files *sftp.Client, content io.Reader, target string) error {
	if err := files.MkdirAll(path.Dir(target)); err != nil {
		return fmt.Errorf("create the remote directory %s: %w", path.Dir(target), err)
	}
	remote, err := files.Create(target)
	if err != nil {
		return fmt.Errorf("create the remote file %s: %w", target, err)
	}
	_, err = remote.ReadFrom(content)
	if err = errors.Join(err, remote.Close()); err != nil {
		return fmt.Errorf("write the remote file %s: %w", target, err)
	}
	return nil
}

// stat is nil for what does not exist.
func stat(files *sftp.Client, target string) (fs.FileInfo, error) {
	info, err := files.Stat(target)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look up the remote path %s: %w", target, err)
	}
	return info, nil
}
