/** More rows than a spreadsheet opens. */
export const rowsMax = 1_000_000;

interface Collected {
  file: Blob;
  count: number;
  /** Whether there were more rows than a file may have. */
  isCut: boolean;
}

interface FileContent<Row> {
  type: string;
  head?: string;
  lineOf: (row: Row) => string;
  pages: AsyncIterable<readonly Row[]>;
  /** Receives the number of written rows after each page. */
  onProgress: (count: number) => void;
  max?: number;
}

/**
 * Returns a file with a line per row. Passes it to the browser page by page, so that a long export is on disk instead of in the page's
 * memory.
 */
export const collectFile = async <Row>(content: FileContent<Row>): Promise<Collected> => {
  const { type, head = "", lineOf, pages, onProgress, max = rowsMax } = content;
  const parts: Blob[] = [new Blob([head], { type })];
  let count = 0;
  let isCut = false;
  for await (const rows of pages) {
    const rowsToWrite = rows.slice(0, max - count);
    parts.push(new Blob(rowsToWrite.map(lineOf), { type }));
    count += rowsToWrite.length;
    onProgress(count);
    isCut = rowsToWrite.length < rows.length;
    if (isCut) break;
  }
  return { file: new Blob(parts, { type }), count, isCut };
};
