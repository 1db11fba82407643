import { useEffect, useRef, useState } from "react";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { type RowKind, totalText } from "../data-table/row-words.ts";
import { saveFile } from "@latchkey/ui/save-file.ts";
import { toasts } from "@latchkey/ui/components/toasts.ts";
import { collectFile, rowsMax } from "./collect-file.ts";
import { t } from "../../texts.ts";

/** The file that an export writes. */
export interface Exported<Row> {
  /** The first part of the file's name, such as `users`. */
  readonly name: string;
  readonly extension: string;
  readonly type: string;
  readonly head?: string;
  readonly lineOf: (row: Row) => string;
  /** Yields every row to export. Requests a page only when the one before is written. */
  readonly pages: (signal: AbortSignal) => AsyncIterable<readonly Row[]>;
}

/** Writes the file and downloads it. Returns undefined if the export was stopped. */
const writeFile = async <Row>(
  { name, extension, pages, ...content }: Exported<Row>,
  onProgress: (count: number) => void,
  signal: AbortSignal,
) => {
  try {
    const { file, ...written } = await collectFile({
      ...content,
      pages: pages(signal),
      onProgress,
    });
    signal.throwIfAborted();
    saveFile(file, `${name}-${new Date().toISOString().slice(0, 10)}.${extension}`);
    return written;
  } catch (fault) {
    if (signal.aborted) return undefined;
    throw fault;
  }
};

/** Runs an export. Stops it when the component unmounts. */
export const useExport = <Row>(exported: Exported<Row>, rowKind: RowKind, onDone: () => void) => {
  const stop = useRef(new AbortController());
  const [count, setCount] = useState(0);
  useEffect(() => () => stop.current.abort(), []);
  const { mutate, isPending, error } = useChange({
    mutationFn: () => {
      stop.current = new AbortController();
      setCount(0);
      return writeFile(exported, setCount, stop.current.signal);
    },
    onSuccess: (written) => {
      if (written === undefined) return;
      toasts.add({
        title: t("exports.done", { rows: totalText(written.count, rowKind) }),
        ...(written.isCut && {
          description: t("exports.cut", { rows: totalText(rowsMax, rowKind) }),
        }),
        type: "success",
      });
      onDone();
    },
  });
  return {
    run: () => mutate(),
    isRunning: isPending,
    count,
    error,
    stop: () => stop.current.abort(),
  };
};
