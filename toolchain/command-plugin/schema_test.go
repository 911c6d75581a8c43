package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	provider "github.com/pulumi/pulumi-go-provider"
)

func TestSchemaIsThatOfTheReleasedPackage(t *testing.T) {
	released := "../../node_modules/@pulumi/command"
	if _, err := os.Stat(released); err != nil {
		t.Fatal("the npm packages are not installed: run `npm ci` in the root of the repository")
	}
	answer, err := newPlugin(t, localCommand).server.GetSchema(provider.GetSchemaRequest{})
	must(t, err)
	check := exec.Command("node", "../schema-check.mjs", released, "command:local:")
	check.Stdin = strings.NewReader(answer.Schema)
	if output, err := check.CombinedOutput(); err != nil {
		t.Errorf("%v:\n%s", err, output)
	}
}
