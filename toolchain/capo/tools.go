//go:build tools

// Package tools holds the programs to build in go.mod.
package tools

import (
	_ "github.com/k-orc/openstack-resource-controller/v2/cmd/manager"
	_ "sigs.k8s.io/cluster-api-provider-openstack"
)
