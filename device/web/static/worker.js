// Where the browser allows it (over HTTPS, and on the box itself), a page of the box's own says that
// the box does not answer. Where it does not, the browser's own page says so.

navigator.serviceWorker?.register(document.body.dataset.worker).catch(() => {});
