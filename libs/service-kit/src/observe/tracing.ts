/** What a span is to the other side: one that asks, one that is asked, or neither. */
export type SpanKind = "server" | "client" | "producer" | "consumer" | "internal";

/** Names of the semantic conventions where there is one. Never a secret, nor what tells a person. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

export interface SpanOptions {
  kind?: SpanKind;
  attributes?: SpanAttributes;
}

/** A piece of work that is being measured. */
export interface Span {
  /** What another process needs to go on with it, in the form of the W3C. */
  readonly traceparent: string;
  /** Does work as a part of it: spans that begin there are its children. */
  within<T>(work: () => T): T;
  /** Names it once more is known. */
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Of an error the kind is told, never the text, which may quote anything. */
  end(error?: unknown): void;
}

/** The traces of one service: what it does for a request or an event, wherever that began. */
export interface Tracing {
  /** A span below the one of a `traceparent`; without one that can be read, the first of a trace. */
  begin(name: string, options: SpanOptions & { traceparent: string | undefined }): Span;
  /** A span below the active one; undefined where none is active. */
  child(name: string, options: SpanOptions): Span | undefined;
  /** Does work as a span below the active one; just does it where none is active. */
  span<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T>;
  /** That of the active span. */
  traceparent(): string | undefined;
  /** Id of the active trace. */
  traceId(): string | undefined;
  /** Hands over what is not sent yet, within a second. */
  stop(): Promise<void>;
}
