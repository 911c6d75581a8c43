// The command plugin: commands run here or over SSH as resources, after the documentation of @pulumi/command.
package main

import (
	"context"
	"fmt"
	"os"

	provider "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi-go-provider/infer"

	"vnfm/toolchain/command-plugin/local"
	"vnfm/toolchain/command-plugin/remote"
)

// The release of @pulumi/command whose interface this plugin has.
const version = "1.2.1"

func newProvider() (provider.Provider, error) {
	return infer.NewProviderBuilder().
		WithNamespace("pulumi").
		WithResources(
			infer.Resource(local.Command{}),
			infer.Resource(remote.Command{}),
			infer.Resource(remote.CopyToRemote{}),
			infer.Resource(remote.CopyFile{}),
		).
		WithFunctions(infer.Function(local.Run{})).
		Build()
}

func main() {
	plugin, err := newProvider()
	if err == nil {
		err = plugin.Run(context.Background(), "command", version)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "pulumi-resource-command:", err)
		os.Exit(1)
	}
}
