//go:build !authorizer

package main

import (
	namespaces "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
)

// claims gives the strategy of claims or of their status, as it was up to 1.35.
func claims(space namespaces.NamespaceInterface, subresource string) updater {
	whole := resourceclaim.NewStrategy(space)
	if subresource == "status" {
		return resourceclaim.NewStatusStrategy(whole)
	}
	return whole
}
