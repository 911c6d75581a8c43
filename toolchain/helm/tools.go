//go:build tools

// Package tools holds the program to build in go.mod.
package tools

import _ "helm.sh/helm/v3/cmd/helm"
