//go:build tools

// Package tools holds the program to build in go.mod: the plugin as it was before it moved to a module of its own, which no
// proxy serves.
package tools

import _ "github.com/containernetworking/plugins/plugins/meta/flannel"
