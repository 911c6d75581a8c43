//go:build tools

// Package tools holds the programs to build in go.mod.
package tools

import (
	_ "github.com/vmware-tanzu/velero-plugin-for-aws/hack/cp-plugin"
	_ "github.com/vmware-tanzu/velero-plugin-for-aws/velero-plugin-for-aws"
	_ "github.com/vmware-tanzu/velero/cmd/velero"
	_ "github.com/vmware-tanzu/velero/cmd/velero-restore-helper"
)
