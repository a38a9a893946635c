/** Where traces go, by the variables that every program with OpenTelemetry reads. Pure. */
import type { ExporterOptions } from './exporter.ts';

/** Undefined where nobody asked for traces. */
export function otlpSettings(env: Readonly<Record<string, string | undefined>>): ExporterOptions | undefined {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: exact, OTEL_EXPORTER_OTLP_ENDPOINT: base } = env;
  const endpoint = exact || (base ? `${base.replace(/\/$/, '')}/v1/traces` : undefined);
  const off = env.OTEL_SDK_DISABLED === 'true' || env.OTEL_TRACES_EXPORTER === 'none';
  if (endpoint === undefined || off || !URL.canParse(endpoint)) return undefined;
  const headers = headersIn(env.OTEL_EXPORTER_OTLP_TRACES_HEADERS ?? env.OTEL_EXPORTER_OTLP_HEADERS ?? '');
  return { endpoint, headers, ...(env.OTEL_SERVICE_NAME ? { serviceName: env.OTEL_SERVICE_NAME } : {}) };
}

/** `api-key=secret,x-team=tools`, values percent-encoded. */
function headersIn(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair): [string, string][] => {
    const at = pair.indexOf('=');
    return at > 0 ? [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())]] : [];
  });
  return Object.fromEntries(pairs);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
