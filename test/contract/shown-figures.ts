/** A figure as a service shows it, or as a document says that it does. */
export interface Figure {
  name: string;
  kind: string;
  /** In the order of the alphabet; undefined where nothing has been counted yet. */
  labels?: string[];
}

/** A label that every figure has, and one that says what a bucket holds. */
const ownLabels = new Set(["service", "le"]);

const labelsOf = (braces: string): string[] =>
  [...braces.matchAll(/(\w+)="/g)]
    .map(([, label = ""]) => label)
    .filter((label) => !ownLabels.has(label))
    .toSorted();

/** What an answer of `/metrics` shows. */
export const readFigures = (text: string): Figure[] =>
  [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = "", kind = ""]) => {
    const sample = new RegExp(`^${name}(?:_count)?\\{(.*)\\} `, "m").exec(text)?.[1];
    return sample === undefined ? { name, kind } : { name, kind, labels: labelsOf(sample) };
  });

const owners = ["identity", "organization", "apikey", "mailer"];
const groups: Readonly<Record<string, readonly string[]>> = { all: ["gateway", ...owners], owners };

/** What the rows of a document say that a service shows. */
export const readDocumented = (document: string, service: string): Required<Figure>[] =>
  [...document.matchAll(/^\| `(latchkey_\w+)` \| (\w+) \|([^|]*)\|([^|]*)\|/gm)].flatMap(
    ([, name = "", kind = "", labels = "", services = ""]) => {
      const shownBy = services.split(",").flatMap((one) => groups[one.trim()] ?? [one.trim()]);
      const named = [...labels.matchAll(/`(\w+)`/g)].map(([, label = ""]) => label);
      return shownBy.includes(service) ? [{ name, kind, labels: named.toSorted() }] : [];
    },
  );

const parts = /_(?:bucket|count|sum)$/;

/** The figures that an expression of Prometheus asks for. */
export const askedBy = (expression: string): string[] =>
  [...expression.matchAll(/\b(?:latchkey|process|nodejs)_\w+/g)].map(([name]) =>
    name.replace(parts, ""),
  );
