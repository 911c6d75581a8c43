//go:build tools

// Package tools holds the program to build in go.mod.
package tools

import _ "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"
