// Copies a field: the clipboard API needs https, which a box on a table has not.

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  field.select();
  document.execCommand("copy");
  button.querySelector("span").textContent = button.dataset.done;
});
