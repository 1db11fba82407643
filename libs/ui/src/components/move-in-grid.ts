/**
 * The stops of a grid by row and cell. A stop is an element that can have the focus: the controls of a cell, or the cell itself if it
 * has none. Every cell has a stop.
 */
export type GridStops<Stop> = readonly (readonly (readonly Stop[])[])[];

export interface GridKey {
  readonly key: string;
  /** Whether Control or Command is held: Home and End then go to the first and the last row. */
  readonly isFar: boolean;
  /** The rows that Page Up and Page Down skip. */
  readonly pageRows: number;
}

interface Place {
  row: number;
  cell: number;
  stop: number;
}

const placeOf = <Stop>(stops: GridStops<Stop>, wanted: Stop): Place | undefined => {
  for (const [row, cells] of stops.entries())
    for (const [cell, inside] of cells.entries()) {
      const stop = inside.indexOf(wanted);
      if (stop !== -1) return { row, cell, stop };
    }
  return undefined;
};

const within = (index: number, count: number): number => Math.min(Math.max(index, 0), count - 1);

/** Goes through all stops of a row, so that each of several controls in a cell is reached. */
const alongRow = <Stop>(stops: GridStops<Stop>, { row, cell, stop }: Place, by: number) => {
  const cells = stops[row] ?? [];
  const before = cells.slice(0, cell).flat().length;
  const all = cells.flat();
  return all[within(before + stop + by, all.length)];
};

/** Stays in the column. */
const acrossRows = <Stop>(stops: GridStops<Stop>, { cell }: Place, row: number) => {
  const cells = stops[within(row, stops.length)] ?? [];
  return cells[within(cell, cells.length)]?.[0];
};

/**
 * Returns the stop to which a key leads, as the grid pattern of ARIA defines. Returns undefined if the key does not move the focus.
 */
export const moveInGrid = <Stop>(
  stops: GridStops<Stop>,
  from: Stop,
  { key, isFar, pageRows }: GridKey,
): Stop | undefined => {
  const place = placeOf(stops, from);
  if (!place) return undefined;
  const inRow = (stops[place.row] ?? []).flat();
  switch (key) {
    case "ArrowRight":
      return alongRow(stops, place, 1);
    case "ArrowLeft":
      return alongRow(stops, place, -1);
    case "ArrowDown":
      return acrossRows(stops, place, place.row + 1);
    case "ArrowUp":
      return acrossRows(stops, place, place.row - 1);
    case "PageDown":
      return acrossRows(stops, place, place.row + pageRows);
    case "PageUp":
      return acrossRows(stops, place, place.row - pageRows);
    case "Home":
      return isFar ? stops[0]?.flat()[0] : inRow[0];
    case "End":
      return isFar ? stops.at(-1)?.flat().at(-1) : inRow.at(-1);
    default:
      return undefined;
  }
};
