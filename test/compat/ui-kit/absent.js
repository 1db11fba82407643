// The kit can read data from a database in the browser. This application has none, so its package is not installed.
const absent = () => {
  throw new Error("no database in the browser");
};

export const createStateSubscription = absent;
export const useConnectionStatus = absent;
