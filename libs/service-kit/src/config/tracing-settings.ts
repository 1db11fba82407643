import type { Environment } from "./environment.ts";

/** Settings of the trace export. The exporter itself reads the other standard variables. */
export interface TracingSettings {
  protocol: "http/protobuf" | "http/json";
  /** Prefix of service names, followed by a hyphen and the service's own name. */
  namePrefix: string;
}

const endpointVariables = [
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
] as const;
const defaultPrefix = "latchkey";

const isHttpUrl = (text: string): boolean => URL.canParse(text) && /^https?:/.test(text);

const readProtocol = (
  environment: Environment,
  problems: string[],
): TracingSettings["protocol"] => {
  const variable = environment["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"]
    ? "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"
    : "OTEL_EXPORTER_OTLP_PROTOCOL";
  const protocol = environment[variable] || "http/protobuf";
  if (protocol === "http/protobuf" || protocol === "http/json") return protocol;
  problems.push(
    `${variable}: must be http/protobuf or http/json, which collectors accept on port 4318`,
  );
  return "http/protobuf";
};

/** Returns the tracing settings, or undefined without an endpoint. Adds invalid values to `problems`. */
export const readTracing = (
  environment: Environment,
  problems: string[],
): TracingSettings | undefined => {
  const setVariables = endpointVariables.filter((variable) => environment[variable]);
  const isDisabled = environment["OTEL_SDK_DISABLED"]?.toLowerCase() === "true";
  const exporter = environment["OTEL_TRACES_EXPORTER"] || "otlp";
  if (setVariables.length === 0 || isDisabled || exporter === "none") return undefined;
  if (exporter !== "otlp") problems.push("OTEL_TRACES_EXPORTER: must be otlp or none");
  for (const variable of setVariables)
    if (!isHttpUrl(environment[variable] ?? ""))
      problems.push(`${variable}: must be an http or https URL`);
  const namePrefix = environment["OTEL_SERVICE_NAME"] || defaultPrefix;
  return { protocol: readProtocol(environment, problems), namePrefix };
};
