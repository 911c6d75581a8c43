//go:build tools

// Package tools holds the programs to build in go.mod.
package tools

import (
	_ "k8s.io/cloud-provider-openstack/cmd/cinder-csi-plugin"
	_ "k8s.io/cloud-provider-openstack/cmd/k8s-keystone-auth"
	_ "k8s.io/cloud-provider-openstack/cmd/openstack-cloud-controller-manager"
)
