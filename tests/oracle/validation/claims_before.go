//go:build !authorizer

package main

import (
	namespaces "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
)

// claims gives the strategy of claims, as it was up to 1.35.
func claims(space namespaces.NamespaceInterface) strategy { return resourceclaim.NewStrategy(space) }
