import type { Measured } from "./results.ts";

const machine = {
  processor: "Some Processor",
  cores: 2,
  memoryGigabytes: 8,
  system: "Linux 6.1",
  node: "26.10.0",
  postgres: "18.4",
  redis: "7.0.15",
};

/** Results with a row of each kind, in texts that a page and a chart have to escape. */
export const measuredFixture: readonly Measured[] = [
  {
    name: "get-session-redis",
    date: "2026-01-02",
    isQuick: false,
    machine,
    profile: ["   9.0 %  undici  resume  client.js:1"],
    lines: [
      {
        path: "GET /get-session, redis: throughput",
        ours: "5000/s",
        floor: "10000/s",
        ratio: "0.50",
        budget: ">= 0.6",
        met: false,
        bar: { kind: "floor", value: 0.5, budget: 0.6 },
      },
      {
        path: "GET /get-session, redis: CPU a request",
        ours: "120 µs",
        floor: "80 µs",
        ratio: "1.50",
        budget: "<= 1.6",
        met: true,
      },
    ],
  },
  {
    name: "lists",
    date: "2026-01-03",
    isQuick: true,
    machine,
    lines: [
      {
        path: `GET /a?b=1&c=2: "what" <nobody> | knows`,
        ours: "p95 2.0 ms",
        floor: "p95 2.0 ms",
        ratio: "1.00",
        budget: "<= 1.2",
        met: true,
        bar: { kind: "growth", value: 1, budget: 1.2 },
      },
      {
        path: "GET /far-off",
        ours: "p95 90.0 ms",
        floor: "p95 2.0 ms",
        ratio: "45.00",
        budget: "-",
        bar: { kind: "growth", value: 45 },
      },
    ],
  },
  {
    name: "operations-redis",
    date: "2026-01-03",
    isQuick: false,
    machine,
    lines: [
      {
        path: "GET /organization/list, redis: CPU a request",
        ours: "300 µs",
        floor: "200 µs",
        ratio: "1.50",
        budget: "<= 2",
        met: true,
        bar: { kind: "session", value: 1.5, budget: 2 },
      },
    ],
  },
  {
    name: "peer-redis",
    date: "2026-01-04",
    isQuick: false,
    machine,
    lines: [
      {
        path: "GET /get-session, redis: throughput",
        ours: "5000/s",
        floor: "500/s",
        ratio: "10.00",
        budget: ">= 5",
        met: true,
        bar: { kind: "peer", value: 10, budget: 5 },
        peerIsBetter: false,
      },
      {
        path: "memory after these loads, redis",
        ours: "300 MB",
        floor: "200 MB",
        ratio: "1.50",
        budget: "-",
        peerIsBetter: true,
      },
    ],
  },
];
