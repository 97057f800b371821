// Command validation asks the API server's own code what it has against an object: one JSON question a line on standard input, one JSON answer
// a line, in order. It goes the way of a request without the network: decoded, defaulted, prepared and checked by the strategy of its kind.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	core "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authentication/user"
	request "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/kubernetes/fake"
	namespaces "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/component-base/featuregate"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	"k8s.io/kubernetes/pkg/registry/resource/deviceclass"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"
	"k8s.io/kubernetes/pkg/registry/resource/resourceslice"
)

// question is an object that is made, or, with an old one, changed, as a whole or by its subresource.
type question struct {
	Object      json.RawMessage `json:"object"`
	Old         json.RawMessage `json:"old"`
	Subresource string          `json:"subresource"`
	Gates       map[string]bool `json:"gates"`
	Admin       bool            `json:"admin"`
	Stored      bool            `json:"stored"`
}

// finding is one field error.
type finding struct {
	Reason  string `json:"reason"`
	Field   string `json:"field"`
	Message string `json:"message"`
}

// answer is why the object cannot be read, or that the code panics, or all that is wrong with the object, or, if asked, what would be stored.
type answer struct {
	Decode string          `json:"decode,omitempty"`
	Panic  string          `json:"panic,omitempty"`
	Errors []finding       `json:"errors"`
	Stored json.RawMessage `json:"stored,omitempty"`
}

// updater is what changes objects of one kind; but for subresources, it makes them too.
type updater = rest.RESTUpdateStrategy

// namespace is where claims and templates are.
const namespace = "ns"

// strategyOf gives the strategy of a kind, or of its subresource, and its plural.
func strategyOf(kind string, space namespaces.NamespaceInterface, subresource string) (updater, string) {
	switch kind {
	case "ResourceSlice":
		return resourceslice.Strategy, "resourceslices"
	case "DeviceClass":
		return deviceclass.Strategy, "deviceclasses"
	case "ResourceClaim":
		return claims(space, subresource), "resourceclaims"
	case "ResourceClaimTemplate":
		return resourceclaimtemplate.NewStrategy(space), "resourceclaimtemplates"
	}
	return nil, ""
}

// scope makes the context of a request.
func scope(kind *schema.GroupVersionKind, plural, subresource string, namespaced bool) context.Context {
	space := metav1.NamespaceNone
	if namespaced {
		space = namespace
	}
	ctx := request.WithUser(request.WithNamespace(context.Background(), space), &user.DefaultInfo{Name: "someone"})
	info := request.RequestInfo{APIGroup: kind.Group, APIVersion: kind.Version, Resource: plural, Subresource: subresource, IsResourceRequest: true}
	return request.WithRequestInfo(ctx, &info)
}

func decoded(raw json.RawMessage) (runtime.Object, *schema.GroupVersionKind, error) {
	return legacyscheme.Codecs.UniversalDecoder().Decode(raw, nil, nil)
}

func ask(asked question) (reply answer) {
	reply.Errors = []finding{}
	defer func() {
		if caught := recover(); caught != nil {
			reply = answer{Panic: fmt.Sprint(caught), Errors: []finding{}}
		}
	}()
	object, kind, err := decoded(asked.Object)
	if err != nil {
		return answer{Decode: err.Error(), Errors: []finding{}}
	}
	labels := map[string]string{}
	if asked.Admin {
		labels["resource.kubernetes.io/admin-access"] = "true"
	}
	client := fake.NewSimpleClientset(&core.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace, Labels: labels}})
	chosen, plural := strategyOf(kind.Kind, client.CoreV1().Namespaces(), asked.Subresource)
	ctx := scope(kind, plural, asked.Subresource, chosen.NamespaceScoped())
	if asked.Old == nil {
		metadata, err := meta.Accessor(object)
		if err != nil {
			return answer{Decode: err.Error(), Errors: []finding{}}
		}
		// As the handler of the request does, before the registry fills what it makes up.
		rest.WipeObjectMetaSystemFields(metadata)
		rest.FillObjectMetaSystemFields(metadata)
		reply.add(rest.BeforeCreate(chosen.(rest.RESTCreateStrategy), ctx, object))
		return reply.kept(asked, object)
	}
	old, _, err := decoded(asked.Old)
	if err != nil {
		return answer{Decode: "old: " + err.Error(), Errors: []finding{}}
	}
	reply.add(rest.BeforeUpdate(chosen, ctx, object, old))
	return reply.kept(asked, object)
}

// kept adds what would be stored, in v1.
func (reply answer) kept(asked question, object runtime.Object) answer {
	if !asked.Stored || len(reply.Errors) > 0 {
		return reply
	}
	written, err := runtime.Encode(legacyscheme.Codecs.LegacyCodec(schema.GroupVersion{Group: "resource.k8s.io", Version: "v1"}), object)
	if err != nil {
		panic(err)
	}
	reply.Stored = written
	return reply
}

// add takes the causes of an error, which are the field errors, or the error itself.
func (reply *answer) add(err error) {
	if err == nil {
		return
	}
	var status apierrors.APIStatus
	if errors.As(err, &status) && status.Status().Details != nil && len(status.Status().Details.Causes) > 0 {
		for _, cause := range status.Status().Details.Causes {
			reply.Errors = append(reply.Errors, finding{string(cause.Type), cause.Field, cause.Message})
		}
		return
	}
	reply.Errors = append(reply.Errors, finding{"Status", "", err.Error()})
}

// switched sets gates and gives the way back.
func switched(gates map[string]bool) (func() error, error) {
	before := map[string]bool{}
	for name := range gates {
		before[name] = utilfeature.DefaultFeatureGate.Enabled(featuregate.Feature(name))
	}
	back := func() error { return utilfeature.DefaultMutableFeatureGate.SetFromMap(before) }
	return back, utilfeature.DefaultMutableFeatureGate.SetFromMap(gates)
}

func serve() error {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			return out.Flush()
		}
		if err != nil {
			return err
		}
		var asked question
		if err := json.Unmarshal(line, &asked); err != nil {
			return err
		}
		back, err := switched(asked.Gates)
		if err != nil {
			return err
		}
		if err := encoder.Encode(ask(asked)); err != nil {
			return err
		}
		if err := back(); err != nil {
			return err
		}
		if in.Buffered() == 0 {
			if err := out.Flush(); err != nil {
				return err
			}
		}
	}
}

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, "validation:", err)
		os.Exit(1)
	}
}
