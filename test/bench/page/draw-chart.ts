import type { Bar, Line } from "../harness/row.ts";
import type { Measured } from "./results.ts";

/** A row of the table that has a bar. */
interface Drawn {
  path: string;
  bar: Bar;
  met: boolean | undefined;
}

interface Panel {
  kind: Bar["kind"];
  heading: string;
  /** The least value of the right end. Longer bars end there. */
  valueMax: number;
}

/** A file with charts. */
interface Picture {
  title: string;
  legend: string;
  panels: readonly Panel[];
}

const ownPanels: readonly Panel[] = [
  {
    kind: "floor",
    heading: "Throughput as a share of the floor's: longer is better",
    valueMax: 1.2,
  },
  {
    kind: "session",
    heading: "CPU time of an operation as a multiple of get-session's: shorter is better",
    valueMax: 6,
  },
  {
    kind: "growth",
    heading: "Time with 1,000,000 rows by time with 10,000: shorter is better",
    valueMax: 2,
  },
];

const ownPicture: Picture = {
  title: "What Latchkey costs by what it has to cost",
  legend: "A bold line is the budget, a dotted one 1. Grey bars have no budget.",
  panels: ownPanels,
};

const peerPicture: Picture = {
  title: "Throughput of Latchkey beside better-auth",
  legend:
    "A dotted line is 1: both are equal. Left of it better-auth is faster. A bold line is the budget.",
  panels: [
    {
      kind: "peer",
      heading: "Throughput as a multiple of better-auth's: longer is better",
      valueMax: 16,
    },
  ],
};

const replicasPicture: Picture = {
  title: "How the throughput of Latchkey grows with its replicas",
  legend: "A bold line is the goal, a dotted one the throughput of one replica.",
  panels: [
    {
      kind: "replicas",
      heading: "Throughput of 2 and 4 replicas by that of one: longer is better",
      valueMax: 4.4,
    },
  ],
};

const width = 960;
const barsAt = 500;
const barsWidth = 380;
const rowHeight = 20;
const headingHeight = 44;
const margin = 16;

const style = `
  .page { fill: #ffffff } text { font: 12px ui-sans-serif, system-ui, sans-serif; fill: #1f2328 }
  .heading { font-weight: 600; font-size: 14px } .quiet { fill: #59636e }
  .met { fill: #2f6fb0 } .missed { fill: #c2410c } .told { fill: #8c959f }
  .budget { stroke: #1f2328; stroke-width: 2 } .none { stroke: #8c959f; stroke-width: 1; stroke-dasharray: 2 3 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117 } text { fill: #f0f6fc } .quiet { fill: #9198a1 }
    .met { fill: #58a6ff } .missed { fill: #fb923c } .told { fill: #6e7681 }
    .budget { stroke: #f0f6fc } .none { stroke: #6e7681 }
  }
`;

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (one) => entities[one] ?? one);

const drawnOf = (lines: readonly Line[], kind: Bar["kind"]): Drawn[] =>
  lines.flatMap(({ path, bar, met }) => (bar?.kind === kind ? [{ path, bar, met }] : []));

const verdictOf = ({ met }: Pick<Drawn, "met">): "met" | "missed" | "told" => {
  if (met === undefined) return "told";
  return met ? "met" : "missed";
};

const drawRow = ({ valueMax }: Panel, drawn: Drawn, top: number): string => {
  const { path, bar } = drawn;
  const placeOf = (value: number) => (Math.min(value, valueMax) / valueMax) * barsWidth;
  const verdict = verdictOf(drawn);
  const missed = verdict === "missed" ? " missed" : "";
  const end = barsAt + placeOf(bar.value);
  const budgetAt = bar.budget === undefined ? undefined : barsAt + placeOf(bar.budget);
  // The text goes to the right of the bar and of the budget's line.
  const textAt = Math.max(end, budgetAt ?? 0) + 6;
  const middle = top + rowHeight / 2 + 4;
  return [
    `<text x="${barsAt - 8}" y="${middle}" text-anchor="end">${escaped(path)}</text>`,
    `<rect class="${verdict}" x="${barsAt}" y="${top + 3}" width="${placeOf(bar.value).toFixed(1)}" height="${rowHeight - 6}"/>`,
    ...(budgetAt === undefined
      ? []
      : [
          `<line class="budget" x1="${budgetAt.toFixed(1)}" x2="${budgetAt.toFixed(1)}" y1="${top + 1}" y2="${top + rowHeight - 1}"/>`,
        ]),
    `<text x="${textAt.toFixed(1)}" y="${middle}">${bar.value.toFixed(2)}${missed}</text>`,
  ].join("\n");
};

const drawPanel = (panel: Panel, rows: readonly Drawn[], top: number): string => {
  const one = (barsAt + barsWidth / panel.valueMax).toFixed(1);
  const [first, last] = [top + headingHeight - 4, top + headingHeight + rows.length * rowHeight];
  return [
    `<text class="heading" x="${margin}" y="${top + 26}">${escaped(panel.heading)}</text>`,
    `<line class="none" x1="${one}" x2="${one}" y1="${first}" y2="${last}"/>`,
    ...rows.map((row, index) => drawRow(panel, row, top + headingHeight + index * rowHeight)),
  ].join("\n");
};

const describe = (rows: readonly Drawn[]): string =>
  rows.map((row) => `${row.path}: ${row.bar.value.toFixed(2)}, ${verdictOf(row)}.`).join(" ");

const draw = ({ title, legend, panels }: Picture, results: readonly Measured[]): string => {
  const lines = results.flatMap((row) => row.lines);
  const parts: string[] = [];
  const all: Drawn[] = [];
  let top = 0;
  for (const panel of panels) {
    const rows = drawnOf(lines, panel.kind);
    if (rows.length === 0) continue;
    parts.push(drawPanel(panel, rows, top));
    all.push(...rows);
    top += headingHeight + rows.length * rowHeight + margin;
  }
  const height = top + margin;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height + margin}" width="${width}" height="${height + margin}" role="img" aria-labelledby="chart-title chart-desc">
<title id="chart-title">${title}</title>
<desc id="chart-desc">${escaped(describe(all))}</desc>
<style>${style}</style>
<rect class="page" width="100%" height="100%"/>
${parts.join("\n")}
<text class="quiet" x="${margin}" y="${height}">${escaped(legend)}</text>
</svg>
`;
};

/** Draws the ratios as bars with lines for the budgets. Returns an SVG without scripts that is readable on light and dark pages. */
export const drawChart = (results: readonly Measured[]): string => draw(ownPicture, results);

/** Draws in the same way how the other product compares. */
export const drawPeerChart = (results: readonly Measured[]): string => draw(peerPicture, results);

/** Draws in the same way how the throughput of several replicas compares with that of one. */
export const drawReplicasChart = (results: readonly Measured[]): string =>
  draw(replicasPicture, results);
