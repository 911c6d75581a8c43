// livenessprobe answers GET /healthz with what a CSI driver says to Probe, as the sidecar of this name does: no proxy of Go
// modules serves that one. It takes the flags that charts give it.
package main

import (
	"context"
	"errors"
	"flag"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/kubernetes-csi/csi-lib-utils/connection"
	"github.com/kubernetes-csi/csi-lib-utils/metrics"
	"github.com/kubernetes-csi/csi-lib-utils/rpc"
	"k8s.io/klog/v2"
)

var (
	driverSocket = flag.String("csi-address", "/run/csi/socket", "socket of the driver")
	port         = flag.String("health-port", "9808", "port to answer on, unless --http-endpoint is given")
	endpoint     = flag.String("http-endpoint", "", "address and port to answer on")
	timeout      = flag.Duration("probe-timeout", time.Second, "how long the driver may take to answer")
)

func probe(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, *timeout)
	defer cancel()
	client, err := connection.Connect(ctx, *driverSocket, metrics.NewCSIMetricsManager(""), connection.WithTimeout(*timeout))
	if err != nil {
		return err
	}
	defer client.Close()
	ready, err := rpc.Probe(ctx, client)
	if err == nil && !ready {
		return errors.New("it says that it is not ready")
	}
	return err
}

func main() {
	klog.InitFlags(nil)
	flag.Parse()
	address := *endpoint
	if address == "" {
		address = net.JoinHostPort("0.0.0.0", *port)
	}
	http.HandleFunc("/healthz", func(answer http.ResponseWriter, request *http.Request) {
		if err := probe(request.Context()); err != nil {
			klog.ErrorS(err, "the driver is not healthy")
			http.Error(answer, err.Error(), http.StatusInternalServerError)
		}
	})
	klog.ErrorS(http.ListenAndServe(address, nil), "nothing answers probes any more", "address", address)
	os.Exit(1)
}
