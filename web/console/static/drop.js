// A file dropped onto the page goes into its field and is sent.
"use strict";
(() => {
  const field = document.querySelector(".drop input[type=file]");
  const place = field.closest(".drop");
  for (const kind of ["dragover", "drop"]) {
    document.addEventListener(kind, (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      place.classList.toggle("over", kind === "dragover");
      if (kind !== "drop") return;
      field.files = event.dataTransfer.files;
      field.form.requestSubmit();
    });
  }
})();
