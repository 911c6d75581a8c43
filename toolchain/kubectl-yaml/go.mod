module kubectl-yaml

go 1.24.0

require (
	k8s.io/apimachinery v0.33.3
	sigs.k8s.io/yaml v1.5.0
)

require (
	go.yaml.in/yaml/v2 v2.4.2 // indirect
	sigs.k8s.io/json v0.0.0-20241010143419-9aa6b5e7a4b3 // indirect
)
