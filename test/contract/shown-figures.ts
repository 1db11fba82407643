/** A metric as a service exposes it, or as documented. */
export interface Figure {
  name: string;
  kind: string;
  /** In alphabetical order. Undefined if nothing has been counted yet. */
  labels?: string[];
}

/** Labels that every metric has, and the one of histogram buckets. */
const ownLabels = new Set(["service", "le"]);

const labelsOf = (braces: string): string[] =>
  [...braces.matchAll(/(\w+)="/g)]
    .map(([, label = ""]) => label)
    .filter((label) => !ownLabels.has(label))
    .toSorted();

/** Parses an answer of `/metrics`. */
export const readFigures = (text: string): Figure[] =>
  [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = "", kind = ""]) => {
    const sample = new RegExp(`^${name}(?:_count)?\\{(.*)\\} `, "m").exec(text)?.[1];
    return sample === undefined ? { name, kind } : { name, kind, labels: labelsOf(sample) };
  });

const owners = ["identity", "organization", "apikey", "mailer", "webhooks"];
const groups: Readonly<Record<string, readonly string[]>> = { all: ["gateway", ...owners], owners };

/** Returns the metrics of a service that a document lists. */
export const readDocumented = (document: string, service: string): Required<Figure>[] =>
  [...document.matchAll(/^\| `(latchkey_\w+)` \| (\w+) \|([^|]*)\|([^|]*)\|/gm)].flatMap(
    ([, name = "", kind = "", labels = "", services = ""]) => {
      const shownBy = services.split(",").flatMap((one) => groups[one.trim()] ?? [one.trim()]);
      const named = [...labels.matchAll(/`(\w+)`/g)].map(([, label = ""]) => label);
      return shownBy.includes(service) ? [{ name, kind, labels: named.toSorted() }] : [];
    },
  );

const parts = /_(?:bucket|count|sum)$/;

/** Returns the metrics that a Prometheus expression queries. */
export const askedBy = (expression: string): string[] =>
  [...expression.matchAll(/\b(?:latchkey|process|nodejs)_\w+/g)].map(([name]) =>
    name.replace(parts, ""),
  );
