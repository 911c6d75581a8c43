module kubeadm-fields

go 1.24
