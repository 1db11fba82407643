import type { SpanExporter } from "@opentelemetry/sdk-trace-node";
import type { Settings } from "../config/settings.ts";
import type { TracingSettings } from "../config/tracing-settings.ts";
import { createLogger, type Logger } from "./logger.ts";
import type { Tracing } from "./tracing.ts";

const createExporter = async ({ protocol }: TracingSettings): Promise<SpanExporter> => {
  const { OTLPTraceExporter } = await (protocol === "http/json"
    ? import("@opentelemetry/exporter-trace-otlp-http")
    : import("@opentelemetry/exporter-trace-otlp-proto"));
  return new OTLPTraceExporter();
};

/** Logs once when the collector rejects spans, and once when it accepts them again. */
const logLosses = (exporter: SpanExporter, logger: Logger): SpanExporter => {
  let isLosing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const { error } = result;
        if (error && !isLosing)
          logger.error({ err: error }, "failed to send spans to the collector, dropping them");
        if (!error && isLosing) logger.info("the collector accepts spans again");
        isLosing = error !== undefined;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
};

/** Opens the tracing of a service. Returns undefined if tracing is off, and then does not load the SDK. */
export const openTracing = async (
  service: string,
  { tracing, options }: Settings,
): Promise<Tracing | undefined> => {
  if (!tracing) return undefined;
  const [{ createTracing }, exporter] = await Promise.all([
    import("./create-tracing.ts"),
    createExporter(tracing),
  ]);
  const logger = createLogger({ service, ...options.logger });
  return createTracing({
    name: `${tracing.namePrefix}-${service}`,
    exporter: logLosses(exporter, logger),
  });
};
