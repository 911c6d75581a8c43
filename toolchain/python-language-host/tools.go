//go:build tools

// Package tools holds the program to build in go.mod.
package tools

import _ "github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python"
