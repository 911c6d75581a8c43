//go:build tools

// Package tools holds the program to build in go.mod.
package tools

import _ "sigs.k8s.io/metrics-server/cmd/metrics-server"
