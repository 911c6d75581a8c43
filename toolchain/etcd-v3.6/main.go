// The etcd server as released, and etcdctl and etcdutl where it is called by their names; only the main is ours.
package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/etcdctl/v3/ctlv3"
	"go.etcd.io/etcd/etcdutl/v3/etcdutl"
	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() {
	switch filepath.Base(os.Args[0]) {
	case "etcdctl":
		ctlv3.MustStart()
	case "etcdutl":
		command := &cobra.Command{Use: "etcdutl"}
		command.AddCommand(etcdutl.NewSnapshotCommand())
		if command.Execute() != nil {
			os.Exit(1)
		}
	default:
		etcdmain.Main(os.Args)
	}
}
