# Shared by the scripts of this folder: ranks on this machine, more of them than cores.
source "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"
: "${GAPWISE_MPI:?path of the program for several machines}" "${MPIRUN:?path of mpirun}"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none  # containers may forbid the other one
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe

# job RANKS VERB OPTION...: gapwise-mpi as so many processes; hung ones are killed, exit code 124.
job() {
  local ranks=$1
  shift
  timeout -k 5 "${JOB_SECONDS:-60}" "$MPIRUN" --oversubscribe -n "$ranks" "$GAPWISE_MPI" "$@"
}
