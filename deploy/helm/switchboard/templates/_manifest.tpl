{{/* A manifest in the namespace of the release. Takes the document as an object, and the root context. */}}
{{- define "switchboard.inNamespace" -}}
{{- $_ := set .document.metadata "namespace" .root.Release.Namespace -}}
{{- end -}}

{{/* The value of a variable as text. Helm reads numbers of a file as floating-point ones, which toString writes as 1e+06. */}}
{{- define "switchboard.text" -}}
{{- if kindIs "float64" . }}{{ toJson . }}{{ else }}{{ toString . }}{{ end -}}
{{- end -}}

{{/* Sets what the values say about a pod: the image, the Secret, volumes, and the resources of its only container. */}}
{{- define "switchboard.pod" -}}
{{- $container := first .pod.containers -}}
{{- $_ := set $container "image" (printf "%s:%s" .values.image.repository (.values.image.tag | default .root.Chart.AppVersion)) -}}
{{- $_ := set $container "imagePullPolicy" .values.image.pullPolicy -}}
{{- range $container.envFrom -}}
{{- if .secretRef -}}{{- $_ := set .secretRef "name" $.values.existingSecret -}}{{- end -}}
{{- end -}}
{{- if .values.resources -}}{{- $_ := set $container "resources" .values.resources -}}{{- end -}}
{{- with .values.extraVolumes -}}{{- $_ := set $.pod "volumes" (concat $.pod.volumes .) -}}{{- end -}}
{{- with .values.extraVolumeMounts -}}{{- $_ := set $container "volumeMounts" (concat $container.volumeMounts .) -}}{{- end -}}
{{- range $name, $value := .values.podSecurityContext -}}
{{- if kindIs "invalid" $value -}}{{- $_ := unset $.pod.securityContext $name -}}{{- else -}}{{- $_ := set $.pod.securityContext $name $value -}}{{- end -}}
{{- end -}}
{{- if .root.Values.imagePullSecrets -}}{{- $_ := set .pod "imagePullSecrets" .root.Values.imagePullSecrets -}}{{- end -}}
{{- end -}}
