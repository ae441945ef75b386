{{/* A manifest in the namespace of the release. Takes the document as an object, and the root context. */}}
{{- define "switchboard.inNamespace" -}}
{{- $_ := set .document.metadata "namespace" .root.Release.Namespace -}}
{{- end -}}

{{/* Sets what the values say about a pod: the image, the Secret, and the resources of its only container. */}}
{{- define "switchboard.pod" -}}
{{- $container := first .pod.containers -}}
{{- $_ := set $container "image" (printf "%s:%s" .values.image.repository (.values.image.tag | default .root.Chart.AppVersion)) -}}
{{- $_ := set $container "imagePullPolicy" .values.image.pullPolicy -}}
{{- range $container.envFrom -}}
{{- if .secretRef -}}{{- $_ := set .secretRef "name" $.values.existingSecret -}}{{- end -}}
{{- end -}}
{{- if .values.resources -}}{{- $_ := set $container "resources" .values.resources -}}{{- end -}}
{{- if .root.Values.imagePullSecrets -}}{{- $_ := set .pod "imagePullSecrets" .root.Values.imagePullSecrets -}}{{- end -}}
{{- end -}}
