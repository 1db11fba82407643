/** Said when code of the page could not be loaded: without a network, or because an update replaced the version that served the page. */
export const loadFailureText = {
  title: "Part of this page could not be loaded.",
  advice: "Check your connection, then refresh the page.",
  action: "Refresh page",
};
