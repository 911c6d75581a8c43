// node-driver-registrar tells the kubelet of a node about a CSI driver, as the sidecar of this name does: no proxy of Go
// modules serves that one. It takes the flags that charts give it.
//
// The kubelet finds the socket in its folder of plugins, asks what driver it is and where its socket is (GetInfo), and says
// whether it has taken it (NotifyRegistrationStatus). The folder is watched, so the socket goes when this program ends.
package main

import (
	"context"
	"errors"
	"flag"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/kubernetes-csi/csi-lib-utils/connection"
	"github.com/kubernetes-csi/csi-lib-utils/metrics"
	"github.com/kubernetes-csi/csi-lib-utils/rpc"
	"google.golang.org/grpc"
	"k8s.io/klog/v2"
	registration "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
)

const timeout = 30 * time.Second

var (
	driverSocket = flag.String("csi-address", "/run/csi/socket", "socket of the driver, as this program sees it")
	kubeletPath  = flag.String("kubelet-registration-path", "", "socket of the driver, as the kubelet sees it")
	folder       = flag.String("plugin-registration-path", "/registration", "folder that the kubelet watches for plugins")
)

type server struct {
	info   *registration.PluginInfo
	failed chan error
}

func (s server) GetInfo(context.Context, *registration.InfoRequest) (*registration.PluginInfo, error) {
	return s.info, nil
}

func (s server) NotifyRegistrationStatus(_ context.Context, status *registration.RegistrationStatus) (*registration.RegistrationStatusResponse, error) {
	if status.PluginRegistered {
		klog.InfoS("the kubelet has taken the driver", "driver", s.info.Name)
	} else {
		s.failed <- errors.New("the kubelet refused the driver: " + status.Error)
	}
	return &registration.RegistrationStatusResponse{}, nil
}

// driverName asks the driver, and waits for it to come up.
func driverName(ctx context.Context) (string, error) {
	client, err := connection.Connect(ctx, *driverSocket, metrics.NewCSIMetricsManager(""))
	if err != nil {
		return "", err
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return rpc.GetDriverName(ctx, client)
}

func register(ctx context.Context) error {
	if *kubeletPath == "" {
		return errors.New("--kubelet-registration-path is missing")
	}
	name, err := driverName(ctx)
	if err != nil {
		return err
	}
	path := filepath.Join(*folder, name+"-reg.sock")
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	syscall.Umask(0o077)
	listener, err := net.Listen("unix", path) // closing it removes the file
	if err != nil {
		return err
	}
	s := server{
		info: &registration.PluginInfo{
			Type: registration.CSIPlugin, Name: name, Endpoint: *kubeletPath, SupportedVersions: []string{"1.0.0"},
		},
		failed: make(chan error, 1),
	}
	service := grpc.NewServer()
	registration.RegisterRegistrationServer(service, s)
	go func() { s.failed <- service.Serve(listener) }()
	defer service.Stop()
	select {
	case <-ctx.Done():
		return nil
	case err := <-s.failed:
		return err
	}
}

func main() {
	klog.InitFlags(nil)
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	if err := register(ctx); err != nil {
		klog.ErrorS(err, "the driver is not registered")
		os.Exit(1)
	}
}
