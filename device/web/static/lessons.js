// A link to an answer opens it, also where the browser would leave it folded.

function open() {
  const answer = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const fold = answer?.closest('details');
  if (fold && !fold.open) {
    fold.open = true;
    answer.scrollIntoView();
  }
}

addEventListener('hashchange', open);
open();
