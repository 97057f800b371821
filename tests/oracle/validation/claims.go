//go:build authorizer

package main

import (
	"context"

	"k8s.io/apiserver/pkg/authorization/authorizer"
	namespaces "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
)

// everyone lets everyone do everything: what is asked is what the object may be, not who may write it.
type everyone struct{}

func (everyone) Authorize(context.Context, authorizer.Attributes) (authorizer.Decision, string, error) {
	return authorizer.DecisionAllow, "", nil
}

// claims gives the strategy of claims or of their status; from 1.36 on it asks who may set parts of the status.
func claims(space namespaces.NamespaceInterface, subresource string) updater {
	whole := resourceclaim.NewStrategy(space, everyone{})
	if subresource == "status" {
		return resourceclaim.NewStatusStrategy(whole)
	}
	return whole
}
