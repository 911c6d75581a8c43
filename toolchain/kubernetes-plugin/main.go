// The Kubernetes plugin of Pulumi as released; only its main is ours.
package main

import (
	"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/provider"
	"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/version"
)

func main() {
	version.Version = "4.25.0"
	// The schema and the mapping only serve code generators and converters.
	provider.Serve("kubernetes", version.Version, []byte("{}"), []byte("{}"))
}
