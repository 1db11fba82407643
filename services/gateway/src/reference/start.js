// Shows the document that the page carries.
globalThis.SwaggerUIBundle({
  spec: JSON.parse(document.querySelector("#api-reference").textContent),
  dom_id: "#reference",
  docExpansion: "none",
  validatorUrl: null, // sends the document to a server of strangers
});
