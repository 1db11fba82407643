import { expect, test } from "vitest";
import { readTracing } from "./tracing-settings.ts";

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };

const read = (environment: Record<string, string>) => {
  const problems: string[] = [];
  return { tracing: readTracing(environment, problems), problems };
};

test.each([
  [{}],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "" }],
  [{ ...endpoint, OTEL_SDK_DISABLED: "TRUE" }],
  [{ ...endpoint, OTEL_TRACES_EXPORTER: "none" }],
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }],
])("disables tracing with %j", (environment) => {
  expect(read(environment)).toEqual({ tracing: undefined, problems: [] });
});

test("enables tracing with an endpoint and reads the standard variables", () => {
  expect(read(endpoint).tracing).toEqual({ protocol: "http/protobuf", namePrefix: "latchkey" });
  const said = {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://collector/traces",
    OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json",
    OTEL_SERVICE_NAME: "accounts",
  };
  const tracing = { protocol: "http/json", namePrefix: "accounts" };
  expect(read(said)).toEqual({ tracing, problems: [] });
});

test.each([
  [{ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, "OTEL_EXPORTER_OTLP_PROTOCOL"],
  [
    { ...endpoint, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "grpc" },
    "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
  ],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317" }, "OTEL_EXPORTER_OTLP_ENDPOINT"],
  [{ ...endpoint, OTEL_TRACES_EXPORTER: "zipkin" }, "OTEL_TRACES_EXPORTER"],
])("reports an unsupported setting by its variable: %j", (environment, variable) => {
  expect(read(environment).problems).toEqual([expect.stringMatching(`^${variable}: must be `)]);
});
