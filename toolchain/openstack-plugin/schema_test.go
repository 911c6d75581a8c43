package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"testing"

	"github.com/pulumi/pulumi-terraform-bridge/v3/pkg/tfgen"
	"github.com/pulumi/pulumi/sdk/v3/go/common/diag"
	"github.com/pulumi/pulumi/sdk/v3/go/common/diag/colors"
	"github.com/spf13/afero"
)

// npm has the package of an older release: what a program that is written for it finds otherwise here is all known.
func TestSchemaDiffersFromTheReleasedPackageAsListed(t *testing.T) {
	released := "../../node_modules/@pulumi/openstack"
	if _, err := os.Stat(released); err != nil {
		t.Fatal("the npm packages are not installed: run `npm ci` in the root of the repository")
	}
	check := exec.Command("node", "../schema-check.mjs", released)
	check.Stdin = bytes.NewReader(generateSchema(t))
	listed, err := os.ReadFile("testdata/differences.txt")
	if err != nil {
		t.Fatal(err)
	}
	// exits 1 as there are some
	if output, _ := check.CombinedOutput(); string(output) != string(listed) {
		t.Errorf("other differences than testdata/differences.txt has:\n%s", output)
	}
}

func generateSchema(t *testing.T) []byte {
	t.Helper()
	files := afero.NewMemMapFs()
	generator, err := tfgen.NewGenerator(tfgen.GeneratorOptions{
		Package: "openstack", Version: version, Language: tfgen.Schema, ProviderInfo: newProvider(), Root: files, SkipDocs: true,
		Sink: diag.DefaultSink(io.Discard, io.Discard, diag.FormatOptions{Color: colors.Never}),
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := generator.Generate(); err != nil {
		t.Fatal(err)
	}
	schema, err := afero.ReadFile(files, "schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}
