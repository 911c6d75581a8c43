// The command plugin: commands run here as resources, after the documentation of @pulumi/command. What that runs over SSH
// is left out, as no program here uses it.
package main

import (
	"context"
	"fmt"
	"os"

	provider "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi-go-provider/infer"

	"vnfm/toolchain/command-plugin/local"
)

// The release of @pulumi/command whose interface this plugin has.
const version = "1.2.1"

func newProvider() (provider.Provider, error) {
	return infer.NewProviderBuilder().
		WithNamespace("pulumi").
		WithResources(
			infer.Resource(local.Command{}),
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
