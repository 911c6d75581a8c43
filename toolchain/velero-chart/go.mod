module vnfm/toolchain/velero-chart

go 1.26

// charts, and no Go package: this module is fetched and never built
require github.com/vmware-tanzu/helm-charts v0.0.0-20260916040517-6b2197350079
