// One file for kube-apiserver and kube-controller-manager, by the name it is called with: a cluster that CNFs are on needs
// no more to be asked, and to have objects.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
)

func main() {
	var command *cobra.Command
	switch name := filepath.Base(os.Args[0]); name {
	case "kube-apiserver":
		command = apiserver.NewAPIServerCommand()
	case "kube-controller-manager":
		command = controllermanager.NewControllerManagerCommand()
	default:
		fmt.Fprintf(os.Stderr, "%s is neither kube-apiserver nor kube-controller-manager\n", name)
		os.Exit(2)
	}
	if command.Execute() != nil {
		os.Exit(1)
	}
}
