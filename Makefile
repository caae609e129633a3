# make lab, make test; plain `make` lists the rest.
PYTHON = python3
ARGS =
NOTEBOOK =
COPIES = my_course
PROGRESS = on
PROCESSES = 1
NOTEBOOKS = notebooks/*.ipynb $(wildcard notebooks/trials/*.ipynb)

# An environment cannot be moved: the folder it was made for is in its stamp.
READY := .venv/made-$(shell pwd | cksum | cut -d ' ' -f 1)
# By path and with -m: nothing here needs an activated environment.
RUN := .venv/bin/python -m
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Python starts often here: let it keep what it compiles, whoever forbade it.
unexport PYTHONDONTWRITEBYTECODE
# Nothing is drawn for a reader who is not there: helpers/progress_bar.py.
NBCONVERT = COURSE_UNWATCHED=1 $(RUN) nbconvert --log-level=WARN --to notebook

.PHONY: help lab fresh progress class train install model test browser hub lint execute results site \
	student stick slides notation paper number diff bench mutants pins clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-8s  %s\n", $$1, $$2}' \
		$(firstword $(MAKEFILE_LIST))

lab: $(READY) ## open your copy of the course; COPIES=student: no solutions
	@COURSE_COPIES=$(COPIES) COURSE_PROGRESS=$(PROGRESS) \
		$(RUN) tools.learner.lab $(ARGS)

fresh: $(READY) ## begin notebooks anew, yours are kept: NOTEBOOK="03 05", or ARGS=--all-newer
	@COURSE_COPIES=$(COPIES) $(RUN) tools.learner.copies fresh \
		$(NOTEBOOK) $(ARGS)

progress: $(READY) ## show what you have solved and predicted
	@COURSE_COPIES=$(COPIES) $(RUN) tools.learner.progress

class: $(READY) ## count what was hard for a class, and write a page: ARGS=folder of progress files
	@$(RUN) tools.learner.progress $(if $(ARGS),$(ARGS),--help)

install: $(READY) ## build .venv and no more; lab and the others do it, too; MODEL=off: no chat model

model: $(READY) ## bring the chat model, 93 MB, where the installation could not
	@$(RUN) tools.learner.install --model

# Under Linux, memory of large arrays is kept and not asked for anew each time.
test: export MALLOC_MMAP_THRESHOLD_ = 33554432
test: export MALLOC_TRIM_THRESHOLD_ = 268435456

# A process for each core; notebooks, the longest, start first.
test: lint ## run all tests: style, units, every cell; NOTEBOOKS=... for some
	$(RUN) pytest --nbval --nbval-current-env --nbval-cell-timeout=120 \
		--numprocesses=auto --maxprocesses=4 --dist=loadfile \
		--no-loadscope-reorder --ignore=tests/browser $(NOTEBOOKS) tests

EXTRAS = $(addprefix .venv/extra-, browser hub paper site)
browser: $(EXTRAS) ## try Lab, Hub, the web page, slides; needs Chromium
	$(RUN) pytest tests/browser --verbose -rs $(ARGS)

hub: .venv/extra-hub ## try a class on JupyterHub here; needs Node.js
	@$(RUN) tools.classes.hub $(ARGS)

lint: $(READY) ## check the style of code and notebooks
	$(RUN) ruff check --no-cache
	$(RUN) ruff format --no-cache --check

train: $(READY) ## train a model of your own text: PROCESSES=2, ARGS="--text my.txt"
	@OMP_NUM_THREADS=1 $(RUN) helpers.torch_bridge.train \
		--processes=$(PROCESSES) $(ARGS)

execute: $(READY) ## run all notebooks and store their outputs
	$(NBCONVERT) --inplace --execute \
		--ExecutePreprocessor.record_timing=False \
		--ExecutePreprocessor.store_widget_state=False $(NOTEBOOKS)
	$(NBCONVERT) --inplace --CoalesceStreamsPreprocessor.enabled=True \
		$(NOTEBOOKS)

results: $(READY) ## write RESULTS.md, and minutes, from what is stored
	$(RUN) tools.author.results
	$(RUN) tools.author.run_sheets

site: .venv/extra-site ## build the web page of the course, in site/
	@$(RUN) tools.site.build_site

student: $(READY) ## copies without solutions, in student/; for a class
	@COURSE_COPIES=student $(RUN) tools.learner.copies

stick: $(READY) ## the course for machines without network: ARGS=/media/stick
	@$(RUN) tools.classes.stick $(ARGS)

slides: .venv/extra-paper ## slides with speaker's notes, teaching/slides.html; ARGS=ADDRESS: a link and a code
	@$(RUN) tools.paper.slides $(ARGS)

notation: .venv/extra-paper ## formulas to print, teaching/notation.html; ARGS=02: up to 02
	$(RUN) tools.paper.notation $(ARGS)

paper: .venv/extra-paper ## exit tickets, answers and solutions to print, in teaching/; ARGS="02 03": some
	@$(RUN) tools.paper.paper $(ARGS)

number: $(READY) ## give new cells an id and number the exercises: NOTEBOOK=03
	@$(RUN) tools.author.number $(NOTEBOOK)

diff: $(READY) ## show in words what changed in the notebooks since the commit
	$(RUN) nbdime diff --ignore-metadata --ignore-details HEAD notebooks

bench: $(READY) ## compare the speed of attention with PyTorch, of the chat model with its products
	$(RUN) tools.author.bench_attention
	$(RUN) tools.author.bench_chat_model

mutants: $(READY) ## plant known errors in helpers and see the tests fail
	$(RUN) pytest tests/mutants

pins: $(READY) ## write constraints.txt from what is installed now
	$(RUN) tools.author.pins

clean: ## delete .venv; the next command builds it anew
	rm -rf .venv

# What few need is installed with the first command that wants it.
.venv/extra-%: $(READY)
	@$(RUN) pip install --quiet --constraint constraints.txt \
		--no-build-isolation --editable ".[$*]"
	@touch $@

$(READY): environment.yml constraints.txt pyproject.toml
	@command -v $(PYTHON) > /dev/null || { echo "make: there is no" \
		"$(PYTHON) here; install Python 3.11 or newer." >&2; exit 1; }
	@$(PYTHON) tools/learner/install.py $@
