//go:build tools

// Package tools holds the program to build in go.mod.
package tools

import _ "github.com/kube-vip/kube-vip"
