export const racers = 16;

/** Makes 16 concurrent calls. `call` gets the index of its call. */
export const race = <T>(call: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: racers }, (_, index) => call(index)));
