/** The role of a span: the calling side, the called side, or neither. */
export type SpanKind = "server" | "client" | "producer" | "consumer" | "internal";

/** Use names of the semantic conventions if there is one. Never add a secret or personal data. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

export interface SpanOptions {
  kind?: SpanKind;
  attributes?: SpanAttributes;
}

/** A measured piece of work. */
export interface Span {
  /** The W3C context with which another process continues it. */
  readonly traceparent: string;
  /** Runs work within it: spans that begin there are its children. */
  within<T>(work: () => T): T;
  /** Renames it when more is known. */
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Records only the kind of an error, because its text may quote anything. */
  end(error?: unknown): void;
}

/** The tracing of one service, for requests and events of any origin. */
export interface Tracing {
  /** Starts a child of the span of `traceparent`, or a new trace without a valid one. */
  begin(name: string, options: SpanOptions & { traceparent: string | undefined }): Span;
  /** Starts a child of the active span, or returns undefined if none is active. */
  child(name: string, options: SpanOptions): Span | undefined;
  /** Runs work in a child of the span of `traceparent`, by default of the active span. Without such a span, runs it without one. */
  span<T>(
    name: string,
    options: SpanOptions & { traceparent?: string | undefined },
    work: () => Promise<T>,
  ): Promise<T>;
  /** `traceparent` of the active span. */
  traceparent(): string | undefined;
  /** Id of the active trace. */
  traceId(): string | undefined;
  /** Sends the remaining spans, within a second. */
  stop(): Promise<void>;
}
