{{- define "waivers.name" -}}
{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "waivers.selector" -}}
app.kubernetes.io/name: waiver-service
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "waivers.labels" -}}
{{ include "waivers.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
