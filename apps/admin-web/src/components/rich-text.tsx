import type { AdminText, AdminValueNames } from "@latchkey/i18n/admin.ts";
import { Fragment, type ReactNode } from "react";
import { findText } from "../texts.ts";

/** Stands for an element in a text. Texts and values have no character of this private use. */
const mark = "\uE000";

/** Returns a text with elements among its values, such as a link or a `bdi`. */
export const richText = <Path extends AdminText>(
  path: Path,
  values: Readonly<Record<AdminValueNames<Path>, ReactNode>>,
): ReactNode => {
  const nodes: ReactNode[] = [];
  const marked = Object.entries<ReactNode>(values).map(([name, value]) =>
    typeof value === "string" || typeof value === "number"
      ? [name, value]
      : [name, `${mark}${nodes.push(value) - 1}${mark}`],
  );
  const text = findText(path, Object.fromEntries(marked)) ?? path;
  return text.split(mark).map((part, index) =>
    // oxlint-disable-next-line react/no-array-index-key -- The parts of a text keep their places.
    index % 2 === 0 ? part : <Fragment key={index}>{nodes[Number(part)]}</Fragment>,
  );
};
